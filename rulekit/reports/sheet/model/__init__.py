"""What a sheet says, ready to be laid out."""
