"""What people read: amended rules, reference sheets, lists of options, pages of documentation."""
