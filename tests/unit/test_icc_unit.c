/* Merge table and coalesced cache: the rules of ICC 6, one by one; equal to the naive twin; cost. */
#include "mechanism/parts/icc_unit.h"

#include "../support/naive_icc.h"
#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ALL = 0xf };

/* Replies with a whole line, sector after sector, and returns the set of SMs that get it, which is the same for every
 * sector. */
static uint64_t reply_line(icc_unit *u, unsigned sm, uint64_t line, bool sent) {
    uint64_t to = icc_unit_reply(u, sm, line, 1, sent);
    for (uint8_t sector = 2; sector <= 8; sector <<= 1)
        assert_int_equal(icc_unit_reply(u, sm, line, sector, sent), to);
    return to;
}

/* ICC 6.1: a hit appends the SM, the reply goes to all on the list, and frees the entry. */
static void later_requests_share_the_reply(void **state) {
    (void)state;
    icc_unit u;
    assert_true(icc_unit_init(&u, 4, 0));
    assert_int_equal(icc_unit_read(&u, 2, 100, ALL), ICC_SENT);
    assert_int_equal(icc_unit_read(&u, 0, 100, ALL), ICC_MERGED);
    assert_int_equal(icc_unit_read(&u, 3, 100, ALL), ICC_MERGED);
    assert_int_equal(u.end, 1);
    assert_int_equal(reply_line(&u, 2, 100, true), 0xd);
    assert_int_equal(u.end, 0);
    assert_int_equal(icc_unit_read(&u, 0, 100, ALL), ICC_SENT);
    icc_unit_free(&u);
}

/* ICC 6.1: a miss when all entries are taken is sent at once, and its reply goes to who asked. */
static void a_full_table_sends_directly(void **state) {
    (void)state;
    icc_unit u;
    assert_true(icc_unit_init(&u, 2, 0));
    assert_int_equal(icc_unit_read(&u, 0, 1, ALL), ICC_SENT);
    assert_int_equal(icc_unit_read(&u, 0, 2, ALL), ICC_SENT);
    assert_int_equal(icc_unit_read(&u, 0, 3, ALL), ICC_DIRECT);
    assert_int_equal(icc_unit_read(&u, 1, 1, ALL), ICC_MERGED); /* a hit needs no free entry */
    assert_int_equal(reply_line(&u, 0, 3, false), 1);
    assert_int_equal(reply_line(&u, 0, 1, true), 3);
    icc_unit_free(&u);
}

/* ICC 6.1: the table is searched with the reply's address, so a direct request's reply serves the list of a line that
 * got its entry later; the entry's own reply has nobody left to go to. */
static void a_direct_reply_serves_the_list(void **state) {
    (void)state;
    icc_unit u;
    assert_true(icc_unit_init(&u, 1, 0));
    assert_int_equal(icc_unit_read(&u, 0, 1, ALL), ICC_SENT);
    assert_int_equal(icc_unit_read(&u, 0, 2, ALL), ICC_DIRECT);
    assert_int_equal(reply_line(&u, 0, 1, true), 1);
    assert_int_equal(icc_unit_read(&u, 1, 2, ALL), ICC_SENT);
    assert_int_equal(reply_line(&u, 0, 2, false), 3);
    assert_int_equal(reply_line(&u, 1, 2, true), 0);
    assert_int_equal(icc_unit_read(&u, 2, 2, ALL), ICC_SENT); /* the entry is a new one */
    assert_int_equal(reply_line(&u, 2, 2, true), 4);
    icc_unit_free(&u);
}

/* An SM that asks once the first sector has passed would miss that sector, so its request goes out by itself. */
static void an_entry_that_is_being_answered_takes_nobody(void **state) {
    (void)state;
    icc_unit u;
    assert_true(icc_unit_init(&u, 4, 0));
    assert_int_equal(icc_unit_read(&u, 0, 9, ALL), ICC_SENT);
    assert_int_equal(icc_unit_reply(&u, 0, 9, 1, true), 1);
    assert_int_equal(icc_unit_read(&u, 1, 9, ALL), ICC_DIRECT);
    for (uint8_t sector = 2; sector <= 8; sector <<= 1)
        assert_int_equal(icc_unit_reply(&u, 0, 9, sector, true), 1);
    assert_int_equal(u.end, 0);
    icc_unit_free(&u);
}

/* ICC 6.1: an entry coalesces all requests for the line whose data are under way with it. Each SM gets the sectors that
 * it has asked for; one that asks for more than is under way needs a request of its own. */
static void parts_of_a_request_share_its_reply(void **state) {
    (void)state;
    icc_unit u;
    assert_true(icc_unit_init(&u, 4, 1));
    assert_int_equal(icc_unit_read(&u, 0, 9, 7), ICC_SENT);
    assert_true(icc_unit_absorbs(&u, 1, 9, 2));
    assert_int_equal(icc_unit_read(&u, 1, 9, 2), ICC_MERGED);
    assert_int_equal(icc_unit_read(&u, 2, 9, 12), ICC_SENT);
    assert_int_equal(icc_unit_reply(&u, 0, 9, 1, true), 1);
    assert_int_equal(icc_unit_read(&u, 3, 9, 1), ICC_DIRECT); /* that sector has just passed */
    assert_int_equal(icc_unit_read(&u, 3, 9, 6), ICC_MERGED);
    assert_int_equal(icc_unit_read(&u, 1, 9, 4), ICC_MERGED);
    assert_int_equal(icc_unit_reply(&u, 0, 9, 2, true), 1 + 2 + 8);
    assert_int_equal(icc_unit_reply(&u, 0, 9, 4, true), 1 + 2 + 4 + 8);
    assert_int_equal(icc_unit_read(&u, 4, 9, 5), ICC_CACHED); /* several SMs waited for the line */
    assert_int_equal(icc_unit_reply(&u, 2, 9, 8, true), 4);
    assert_int_equal(icc_unit_reply(&u, 2, 9, 4, true), 0); /* it has come with the other request */
    assert_int_equal(icc_unit_reply(&u, 3, 9, 1, false), 8);
    assert_int_equal(u.end, 0);
    icc_unit_free(&u);
}

/* ICC 6.3: a line with more than one requester is kept; the least recently used one leaves. */
static void only_coalesced_lines_are_cached(void **state) {
    (void)state;
    icc_unit u;
    assert_true(icc_unit_init(&u, 8, 2));
    icc_unit_read(&u, 0, 50, ALL);
    reply_line(&u, 0, 50, true);
    assert_int_equal(icc_unit_read(&u, 0, 50, ALL), ICC_SENT); /* one requester: not kept */
    reply_line(&u, 0, 50, true);
    for (uint64_t line = 1; line <= 2; line++) {
        icc_unit_read(&u, 0, line, ALL);
        icc_unit_read(&u, 1, line, ALL);
        reply_line(&u, 0, line, true);
    }
    assert_int_equal(icc_unit_read(&u, 4, 1, ALL), ICC_CACHED); /* now 2 is the least recently used */
    icc_unit_read(&u, 0, 3, ALL);
    icc_unit_read(&u, 1, 3, ALL);
    reply_line(&u, 0, 3, true);
    assert_int_equal(icc_unit_read(&u, 4, 1, ALL), ICC_CACHED);
    assert_int_equal(icc_unit_read(&u, 4, 3, ALL), ICC_CACHED);
    assert_int_equal(icc_unit_read(&u, 4, 2, ALL), ICC_SENT);
    icc_unit_free(&u);
}

/* A write of the cluster invalidates the line in the cache (round 0). While the line is on its way (round 1), the entry
 * takes no further SMs, and the line is not cached. */
static void writes_invalidate(void **state) {
    (void)state;
    icc_unit u;
    assert_true(icc_unit_init(&u, 8, 4));
    for (int round = 0; round < 2; round++) {
        assert_int_equal(icc_unit_read(&u, 0, 7, ALL), ICC_SENT);
        assert_int_equal(icc_unit_read(&u, 1, 7, ALL), ICC_MERGED);
        if (round == 1) {
            icc_unit_write(&u, 7);
            assert_int_equal(icc_unit_read(&u, 2, 7, ALL), ICC_DIRECT);
        }
        assert_int_equal(reply_line(&u, 0, 7, true), 3);
        if (round == 0) {
            assert_int_equal(icc_unit_read(&u, 2, 7, ALL), ICC_CACHED);
            icc_unit_write(&u, 7);
        }
    }
    assert_int_equal(icc_unit_read(&u, 3, 7, ALL), ICC_SENT);
    icc_unit_free(&u);
}

/* ---- against the naive twin */

enum { FLYING_MAX = 400 };

/* A request sent to memory that still waits for the sectors `left`. */
typedef struct flying {
    unsigned sm;
    uint64_t line;
    uint8_t left;
    bool sent;
    size_t number;
} flying;

typedef struct cluster {
    icc_unit unit;
    naive_icc *naive;
    flying at[FLYING_MAX];
    size_t count;
    uint8_t expects[8][12]; /* per SM and line: sectors that it waits for */
    uint64_t answers[4];
} cluster;

static void read_one(cluster *c, unsigned sm, uint64_t line, uint8_t sectors) {
    if (c->expects[sm][line] & sectors || c->count == FLYING_MAX)
        return; /* its own MSHRs would have merged it */
    size_t number = 0;
    bool absorbs = icc_unit_absorbs(&c->unit, sm, line, sectors);
    enum icc_answer answer = icc_unit_read(&c->unit, sm, line, sectors);
    assert_int_equal(absorbs, answer == ICC_CACHED || answer == ICC_MERGED);
    assert_int_equal("cmsd"[answer], naive_icc_read(c->naive, sm, line, sectors, &number));
    c->answers[answer]++;
    if (answer == ICC_CACHED) return;
    c->expects[sm][line] |= sectors;
    if (answer != ICC_MERGED) c->at[c->count++] = (flying){sm, line, sectors, answer == ICC_SENT, number};
}

static void reply_one(cluster *c, uint64_t *random) {
    if (!c->count) return;
    size_t i = random_below(random, (uint32_t)c->count);
    flying *f = &c->at[i];
    uint8_t sector = f->left & (uint8_t)-f->left;
    uint64_t to = icc_unit_reply(&c->unit, f->sm, f->line, sector, f->sent);
    assert_int_equal(to, naive_icc_reply(c->naive, f->number, sector));
    for (; to; to &= to - 1) { /* each SM gets each sector that it waits for, once */
        unsigned sm = (unsigned)__builtin_ctzll(to);
        assert_true(c->expects[sm][f->line] & sector);
        c->expects[sm][f->line] &= (uint8_t)~sector;
    }
    f->left &= (uint8_t)~sector;
    if (!f->left) *f = c->at[--c->count];
}

static void equals_naive(void **state) {
    (void)state;
    uint64_t answers[4] = {0};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t random = seed;
        uint32_t entries = random_below(&random, 12), lines = random_below(&random, 6);
        cluster c = {.naive = naive_icc_new(entries, lines)};
        assert_true(icc_unit_init(&c.unit, entries, lines));
        bool parts = random_one_in(&random, 2);
        for (int i = 0; i < 1500; i++) {
            uint32_t what = random_below(&random, 20);
            uint64_t line = random_below(&random, 12);
            if (what == 0) {
                icc_unit_write(&c.unit, line);
                naive_icc_write(c.naive, line);
            } else if (what < 11) {
                uint8_t sectors = parts ? (uint8_t)(1 + random_below(&random, 3)) : ALL;
                read_one(&c, random_below(&random, 8), line, sectors);
            } else {
                reply_one(&c, &random);
            }
        }
        while (c.count) reply_one(&c, &random);
        for (unsigned sm = 0; sm < 8; sm++)
            for (uint64_t line = 0; line < 12; line++) assert_int_equal(c.expects[sm][line], 0);
        assert_int_equal(c.unit.end, 0);
        for (int a = 0; a < 4; a++) answers[a] += c.answers[a];
        icc_unit_free(&c.unit);
        naive_icc_free(c.naive);
    }
    for (int a = 0; a < 4; a++) assert_true(answers[a] > 500); /* all of them happened */
}

/* ---- cost */

static void cost_is_the_published(void **state) {
    (void)state;
    assert_int_equal(icc_table_bits(48, 5, 128), 2208); /* 276 bytes */
    assert_int_equal(icc_cache_bits(24, 128), 24 * (41 + 1024));
    assert_int_equal(icc_cache_bits(24, 128) / 8, 3195); /* 3.2 KB */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_requests_share_the_reply),
        cmocka_unit_test(a_full_table_sends_directly),
        cmocka_unit_test(a_direct_reply_serves_the_list),
        cmocka_unit_test(an_entry_that_is_being_answered_takes_nobody),
        cmocka_unit_test(parts_of_a_request_share_its_reply),
        cmocka_unit_test(only_coalesced_lines_are_cached),
        cmocka_unit_test(writes_invalidate),
        cmocka_unit_test(equals_naive),
        cmocka_unit_test(cost_is_the_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
