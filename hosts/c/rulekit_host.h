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

#if RULEKIT_VERSION != 1
#error "the rule set has another version of the interface; this host needs 1"
#endif
#define RULEKIT_NONE (-INT64_C(2147483648))
#define RULEKIT_DONE (RULEKIT_NONE + 2)
enum rulekit_status { RULEKIT_IDLE, RULEKIT_RUNNING, RULEKIT_OVER, RULEKIT_FAULTY, RULEKIT_ASKING };

/* The open question in numbers; option n is rulekit_option(r, n). */
struct rulekit_question { int64_t choice, side, item, count; };
/* Where the rules could not go on, with the printed rules that are cited there; `line` is 0 where the place is not known. */
struct rulekit_fault { char name[64], owner[256], rules[256], file[256]; int64_t line, column; };

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

/* The next letter of a text; a control character becomes a blank. */
static inline char rulekit_json_letter(const char **at) {
    char letter = *(*at)++;
    if (letter != '\\') return letter;
    letter = *(*at)++;
    if (letter == 'u') *at += 4;
    return letter == '"' || letter == '\\' || letter == '/' ? letter : ' ';
}

/* A text, without the backslashes of JSON. */
static inline int rulekit_json_text(const char *value, char *buffer, size_t size) {
    size_t length = 0;
    if (size) *buffer = 0;
    if (!value || *value != '"') return -1;
    for (value++; *value && *value != '"'; length++) {
        char letter = rulekit_json_letter(&value);
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

/* The number of a scenario by its name; -1 if there is none. */
static inline int64_t rulekit_scenario(const char *name) {
    const char *scenarios = rulekit_json_member(rulekit_names, "scenarios"), *one;
    char own[256];
    for (int64_t number = 0; (one = rulekit_json_item(scenarios, number)); number++) {
        rulekit_json_text(rulekit_json_member(one, "name"), own, sizeof own);
        if (!strcmp(own, name)) return number;
    }
    return -1;
}

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

/* ---------------------------------------------------------------- faults */

/* The fault after which a function gave 1. */
static inline struct rulekit_fault rulekit_fault(const struct rulekit *r) {
    struct rulekit_fault fault = {"", "", "", "", 0, 0};
    char site[24];
    snprintf(site, sizeof site, "%lld", (long long)rulekit_word(r, 32));
    const char *names = rulekit_json_member(rulekit_names, "faults");
    const char *place = rulekit_json_member(rulekit_json_member(rulekit_names, "sites"), site);
    rulekit_json_text(rulekit_json_item(names, rulekit_word(r, 24) - 1), fault.name, sizeof fault.name);
    if (!place) return fault;
    rulekit_json_text(rulekit_json_item(place, 0), fault.owner, sizeof fault.owner);
    rulekit_json_text(rulekit_json_item(place, 2), fault.file, sizeof fault.file);
    fault.line = strtoll(rulekit_json_item(place, 3), NULL, 10);
    fault.column = strtoll(rulekit_json_item(place, 4), NULL, 10);
    const char *rules = rulekit_json_item(place, 1), *rule;
    for (int64_t n = 0, used = 0; (rule = rulekit_json_item(rules, n)) && used + 1 < (int64_t)sizeof fault.rules; n++) {
        if (n) fault.rules[used++] = ' ';
        used += rulekit_json_text(rule, fault.rules + used, sizeof fault.rules - used);
    }
    return fault;
}

/* A text that grows: `length` counts what has no room, too. */
struct rulekit_text { char *buffer; size_t size; int length; };

static inline void rulekit_add(struct rulekit_text *text, const char *part) {
    size_t used = (size_t)text->length < text->size ? (size_t)text->length : text->size;
    text->length += snprintf(text->buffer + used, text->size - used, "%s", part);
}

static inline void rulekit_add_number(struct rulekit_text *text, int64_t number, const char *comma) {
    char part[8];
    if (number >= 1000) rulekit_add_number(text, number / 1000, comma);
    snprintf(part, sizeof part, number >= 1000 ? "%s%03d" : "%s%d", number >= 1000 ? comma : "", (int)(number % 1000));
    rulekit_add(text, part);
}

/* A value of one word, of a type (15.7). */
static inline void rulekit_add_word(struct rulekit_text *text, const char *type, int64_t word) {
    const char *about = rulekit_json_item(type, 1);
    char sort[16], part[256] = "none";
    rulekit_json_text(rulekit_json_item(type, 0), sort, sizeof sort);
    if (!strcmp(sort, "flag")) {
        snprintf(part, sizeof part, "%s", word ? "true" : "false");
    } else if (!strcmp(sort, "month")) {
        snprintf(part, sizeof part, "%.3s %lld", &"JanFebMarAprMayJunJulAugSepOctNovDec"[word % 12 * 3], (long long)word / 12);
    } else if (!strcmp(sort, "text")) {
        rulekit_json_text(rulekit_json_item(rulekit_json_member(rulekit_names, "texts"), word), part, sizeof part);
    } else if (strcmp(sort, "nothing")) {
        rulekit_name(about, word, part, sizeof part);
    }
    rulekit_add(text, part);
}

/* A value in a message, from its words; the address of the next one. `named` is for a set as its members in backticks. */
static inline int64_t rulekit_add_value(
    const struct rulekit *r, struct rulekit_text *text, const char *type, int64_t at, int named
) {
    const char *about = rulekit_json_item(type, 1), *of = rulekit_json_item(type, 2);
    char sort[16];
    int64_t shown = 0, word = rulekit_word(r, at);
    rulekit_json_text(rulekit_json_item(type, 0), sort, sizeof sort);
    if (!strcmp(sort, "optional")) {
        if (word != RULEKIT_NONE) return rulekit_add_value(r, text, about, at, named);
        rulekit_add(text, "none");
        return at + (strncmp(about, "[\"ratio\"", 8) ? 8 : 16);
    }
    if (!strcmp(sort, "ratio")) {
        rulekit_add_number(text, word, "");
        rulekit_add(text, ":");
        rulekit_add_number(text, rulekit_word(r, at + 8), "");
        return at + 16;
    }
    if (strcmp(sort, "set") && strcmp(sort, "list")) {
        rulekit_add_word(text, type, word);
        return at + 8;
    }
    int64_t words = strtoll(about, NULL, 10), set = *sort == 's', next = at + 8 * (set ? words : 1);
    rulekit_add(text, named ? "" : "{");
    for (int64_t n = 0; n < (set ? 64 * words : word); n++) {
        if (set && !(rulekit_word(r, at + n / 64 * 8) >> n % 64 & 1)) continue;
        if (shown++) rulekit_add(text, named ? "` and `" : ", ");
        else if (named) rulekit_add(text, "`");
        if (set) rulekit_add_word(text, of, n);
        else next = rulekit_add_value(r, text, of, next, 0);
    }
    rulekit_add(text, !named ? "}" : shown ? "`" : "");
    return next;
}

/* Why the rules could not go on: the message of the fault, one sentence. */
static inline int rulekit_why(const struct rulekit *r, char *buffer, size_t size) {
    const char *messages = rulekit_json_member(rulekit_names, "messages");
    struct rulekit_text why = {buffer, size, 0};
    char part[2] = "";
    if (size) *buffer = 0;
    if (!rulekit_word(r, 160)) return 0;
    const char *message = rulekit_json_item(messages, rulekit_word(r, 160) - 1), *types = rulekit_json_item(message, 1);
    for (const char *at = rulekit_json_item(message, 0) + 1; *at && *at != '"';) {
        if (*at != '{' || at[1] < '0' || at[1] > '9' || !rulekit_json_item(types, 0)) {
            part[0] = rulekit_json_letter(&at);
            rulekit_add(&why, part);
            continue;
        }
        char *form;
        struct rulekit_text passed = {part, 0, 0};
        int64_t place = strtoll(at + 1, &form, 10), value = rulekit_word(r, 168);
        for (int64_t n = 0; n < place; n++) value = rulekit_add_value(r, &passed, rulekit_json_item(types, n), value, 0);
        if (form[0] == ':' && form[1] == ',') rulekit_add_number(&why, rulekit_word(r, value), ",");
        else rulekit_add_value(r, &why, rulekit_json_item(types, place), value, *form == ':');
        at = strchr(form, '}') + 1;
    }
    return why.length;
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
