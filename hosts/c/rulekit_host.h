/* A host for rule sets as C: include it after the file that `rulekit build --target c` writes. C99, no dependencies.
   Chapter 15 of the specification of rulekit is the interface. A game knows everything that is hidden in it.

   Texts go into buffers of the caller, always ended, cut where there is no room. Each such function gives the length
   that the whole text has, as snprintf does, or -1 if there is none. */
#ifndef RULEKIT_HOST_H
#define RULEKIT_HOST_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RULEKIT_NONE (-INT64_C(2147483648))
#define RULEKIT_DONE (RULEKIT_NONE + 2)
enum rulekit_status { RULEKIT_IDLE, RULEKIT_RUNNING, RULEKIT_OVER, RULEKIT_FAULTY, RULEKIT_ASKING };

/* The open question in numbers; option n is rulekit_option(r, n). */
struct rulekit_question { int64_t choice, side, item, count; };
/* Where the rules could not go on; `line` is 0 where the place is not known. */
struct rulekit_fault { char name[64], file[256]; int64_t line; };

static inline int64_t rulekit_word(const struct rulekit *r, int64_t at) {
    int64_t word;
    memcpy(&word, r->memory + at, sizeof word);
    return word;
}

static inline void rulekit_put(struct rulekit *r, int64_t at, int64_t word) {
    memcpy(r->memory + at, &word, sizeof word);
}

/* ---------------------------------------------------------------- the names, which are JSON */

/* The end of a value, and the blanks after it. */
static inline const char *rulekit_json_end(const char *at) {
    int depth = 0;
    do {
        if (*at == '"') {
            for (at++; *at && *at != '"'; at++) if (*at == '\\' && at[1]) at++;
        } else if (*at == '{' || *at == '[') depth++;
        else if (*at == '}' || *at == ']') depth--;
        if (*at) at++;
    } while (*at && (depth > 0 || (*at != ',' && *at != '}' && *at != ']' && *at != ':')));
    return at;
}

/* The value of an array's item, or of an object's member by its place; NULL beyond the last one. */
static inline const char *rulekit_json_item(const char *value, int64_t place) {
    if (!value || (*value != '[' && *value != '{') || value[1] == ']' || value[1] == '}') return NULL;
    for (value++; place > 0; place--) {
        value = rulekit_json_end(value);
        if (*value == ':') value = rulekit_json_end(value + 1);
        if (*value++ != ',') return NULL;
    }
    return value;
}

/* The value of an object's member by its name; NULL if there is none. */
static inline const char *rulekit_json_member(const char *object, const char *name) {
    size_t length = strlen(name);
    for (int64_t place = 0;; place++) {
        const char *key = rulekit_json_item(object, place);
        if (!key || *key != '"') return NULL;
        if (!strncmp(key + 1, name, length) && key[length + 1] == '"') return rulekit_json_end(key) + 1;
    }
}

/* A text, without the backslashes of JSON; a control character becomes a blank. */
static inline int rulekit_json_text(const char *value, char *buffer, size_t size) {
    size_t length = 0;
    if (size) *buffer = 0;
    if (!value || *value != '"') return -1;
    for (value++; *value && *value != '"'; value++, length++) {
        char letter = *value;
        if (letter == '\\') {
            letter = *++value;
            if (letter == 'u') value += 4;
            if (letter != '"' && letter != '\\' && letter != '/') letter = ' ';
        }
        if (length + 1 < size) buffer[length] = letter, buffer[length + 1] = 0;
    }
    return (int)length;
}

/* The name of a member of a domain, or the number of what has no names; `none` and `done`. */
static inline int rulekit_name(const char *domain, int64_t number, char *buffer, size_t size) {
    char name[256];
    if (number == RULEKIT_NONE || number == RULEKIT_DONE) {
        return snprintf(buffer, size, "%s", number == RULEKIT_NONE ? "none" : "done");
    }
    if (rulekit_json_text(domain, name, sizeof name) <= 0) {
        return snprintf(buffer, size, "%lld", (long long)number);
    }
    const char *members = rulekit_json_member(rulekit_json_member(rulekit_names, "domains"), name);
    return rulekit_json_text(rulekit_json_item(members, number), buffer, size);
}

/* ---------------------------------------------------------------- questions and results */

static inline enum rulekit_status rulekit_status(const struct rulekit *r) {
    return (enum rulekit_status)rulekit_word(r, 16);
}

/* The open question; its count is 0 if there is none. */
static inline struct rulekit_question rulekit_question(const struct rulekit *r) {
    struct rulekit_question none = {RULEKIT_NONE, RULEKIT_NONE, RULEKIT_NONE, 0};
    if (rulekit_status(r) != RULEKIT_ASKING) return none;
    int64_t at = rulekit_word(r, 120);
    struct rulekit_question open = {
        rulekit_word(r, at), rulekit_word(r, at + 8), rulekit_word(r, at + 16), rulekit_word(r, at + 24)
    };
    return open;
}

/* An option of the open question by its place, from 0. */
static inline int64_t rulekit_option(const struct rulekit *r, int64_t place) {
    return rulekit_word(r, rulekit_word(r, 120) + 32 + 8 * place);
}

static inline const char *rulekit_choice(int64_t choice) {
    return rulekit_json_item(rulekit_json_member(rulekit_names, "choices"), choice);
}

static inline int rulekit_choice_name(int64_t choice, char *buffer, size_t size) {
    return rulekit_json_text(rulekit_json_member(rulekit_choice(choice), "name"), buffer, size);
}

/* The name of a value of a choice: its `side`, `item` or `options`. A combination has its parts one after the other. */
static inline int rulekit_value_name(int64_t choice, const char *of, int64_t value, char *buffer, size_t size) {
    const char *about = rulekit_choice(choice), *fields = rulekit_json_member(about, "fields");
    if (strcmp(of, "options") || !fields || value < 0) {
        return rulekit_name(rulekit_json_member(about, of), value, buffer, size);
    }
    int length = 0;
    for (int64_t place = 0;; place++) {
        const char *field = rulekit_json_item(fields, place);
        if (!field) return length;
        int64_t weight = strtoll(rulekit_json_item(field, 2), NULL, 10);
        int64_t count = strtoll(rulekit_json_item(field, 3), NULL, 10);
        int64_t low = strtoll(rulekit_json_item(field, 4), NULL, 10);
        char part[256];
        rulekit_name(rulekit_json_item(field, 1), value / weight % count + low, part, sizeof part);
        size_t used = (size_t)length < size ? (size_t)length : size;
        length += snprintf(buffer + used, size - used, "%s%s", place ? " " : "", part);
    }
}

/* The name of the result of a game that is over; -1 if it has none. */
static inline int rulekit_result_name(const struct rulekit *r, char *buffer, size_t size) {
    int64_t result = rulekit_word(r, 56);
    if (rulekit_status(r) != RULEKIT_OVER || result == RULEKIT_NONE) return -1;
    return rulekit_name(rulekit_json_member(rulekit_names, "result"), result, buffer, size);
}

/* The fault after which a function gave 1. */
static inline struct rulekit_fault rulekit_fault(const struct rulekit *r) {
    struct rulekit_fault fault = {"", "", 0};
    char site[24];
    snprintf(site, sizeof site, "%lld", (long long)rulekit_word(r, 32));
    const char *names = rulekit_json_member(rulekit_names, "faults");
    const char *place = rulekit_json_member(rulekit_json_member(rulekit_names, "sites"), site);
    rulekit_json_text(rulekit_json_item(names, rulekit_word(r, 24) - 1), fault.name, sizeof fault.name);
    rulekit_json_text(rulekit_json_item(place, 2), fault.file, sizeof fault.file);
    if (place) fault.line = strtoll(rulekit_json_item(place, 3), NULL, 10);
    return fault;
}

/* ---------------------------------------------------------------- copies, and chance from the host */

/* The bytes of a copy of a game. */
static inline size_t rulekit_copy_size(const struct rulekit *r) { return (size_t)rulekit_word(r, 104); }

static inline void rulekit_copy(const struct rulekit *r, void *copy) { memcpy(copy, r->memory, rulekit_copy_size(r)); }

/* Go back to a copy of this game; 2 if it is none. */
static inline int rulekit_restore(struct rulekit *r, const void *copy) {
    if (memcmp(copy, "rulekit", 8)) return 2;
    memcpy(r->memory, copy, rulekit_copy_size(r));
    if (rulekit_word(r, 144)) rulekit_put(r, rulekit_word(r, 144), 0);
    return 0;
}

/* Empty the tape (15.8); if `strict`, nothing may come from the seed. */
static inline void rulekit_clear_tape(struct rulekit *r, int strict) {
    const char *points = rulekit_json_member(rulekit_names, "points");
    int64_t at = rulekit_word(r, 176);
    rulekit_put(r, at, strict != 0);
    for (int64_t place = 0; rulekit_json_item(points, place); place++) {
        rulekit_put(r, at + 8 + 16 * place, 0);
        rulekit_put(r, at + 16 + 16 * place, 0);
    }
}

/* Put dice or things (by number) for a point on the tape, before `rulekit_start`: once for each point, after
   `rulekit_clear_tape`. It gives 2, and changes nothing, if there is no such point or face, or no room. */
static inline int rulekit_give(struct rulekit *r, const char *point, const int64_t *values, int64_t count) {
    const char *points = rulekit_json_member(rulekit_names, "points"), *own = NULL;
    int64_t at = rulekit_word(r, 176), many = 0, number = -1, used = 0;
    char name[256];
    for (const char *one; (one = rulekit_json_item(points, many)); many++) {
        rulekit_json_text(rulekit_json_member(one, "name"), name, sizeof name);
        if (!strcmp(name, point)) number = many, own = one;
        used += rulekit_word(r, at + 16 + 16 * many);
    }
    if (number < 0 || count < 0 || used + count > rulekit_word(r, 184)) return 2;
    const char *low = rulekit_json_member(own, "low"), *high = rulekit_json_member(own, "high");
    for (int64_t n = 0; low && n < count; n++) {
        if (values[n] < strtoll(low, NULL, 10) || values[n] > strtoll(high, NULL, 10)) return 2;
    }
    rulekit_put(r, at + 8 + 16 * number, used);
    rulekit_put(r, at + 16 + 16 * number, count);
    for (int64_t n = 0; n < count; n++) rulekit_put(r, at + 8 + 16 * many + 8 * (used + n), values[n]);
    return 0;
}
#endif
