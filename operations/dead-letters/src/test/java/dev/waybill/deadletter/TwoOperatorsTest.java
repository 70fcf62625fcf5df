package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.MessageContent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Operators decide about the same dead letters at the same time. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class TwoOperatorsTest {
    private static final AuditContext WORD = new AuditContext("ada", "because");
    private static final DeadLetterFilter ALL = DeadLetterFilter.everything();
    private static final int LETTERS = 250;
    private static final int ROUNDS = 15;

    private StoredLetters stored;
    private DeadLetterArchive archive;
    private Redrives redrives;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        stored = new StoredLetters(database);
        stored.served("orders");
        archive = DeadLetterArchive.in(database.dataSource(), stored.schema);
        redrives = Redrives.in(database.dataSource(), stored.schema);
    }

    @Test
    @Tag("long")
    void letters_that_come_or_change_after_they_were_counted_are_not_decided_about() {
        long seen = stored.add("m1", "1");
        long edited = stored.add("m2", "2");
        long reopened = stored.add("m3", "3");
        stored.letters.discard(DeadLetterFilter.id(reopened), WORD);
        DeadLetterFilter counted = stored.letters.asOfNow(DeadLetterFilter.open());
        assertThat(stored.letters.count(counted)).isEqualTo(2);

        stored.letters.edit(edited, now -> now.withBody(new byte[] {1}), WORD);
        stored.letters.reopen(DeadLetterFilter.id(reopened), WORD);
        stored.add("m4", "4");

        assertThat(stored.letters.discard(counted, WORD)).isEqualTo(1);
        assertThat(stored.letters.show(seen).orElseThrow().state()).isEqualTo(DeadLetter.State.DISCARDED);
        assertThat(stored.letters.count(DeadLetterFilter.open())).isEqualTo(3);
    }

    @Test
    @Tag("long")
    void every_decision_begins_where_the_one_before_it_has_ended() {
        for (int i = 0; i < LETTERS; i++) {
            stored.add(
                    "orders",
                    "Bad",
                    MessageContent.of("m" + i, "s" + i % 7, ("{\"n\":" + i + "}").getBytes(StandardCharsets.UTF_8)));
        }
        List<Deed> deeds = List.of(
                () -> stored.letters.discard(ALL, WORD),
                () -> stored.letters.reopen(ALL, WORD),
                () -> archive.archive(ALL, Duration.ofDays(1), WORD),
                () -> archive.restore(ALL, WORD),
                () -> redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD),
                () -> archive.redact(ALL.session("s1"), List.of("body:/n"), WORD));

        var failures = Collections.synchronizedList(new ArrayList<Throwable>());
        CompletableFuture.allOf(IntStream.range(0, 3)
                        .mapToObj(operator -> CompletableFuture.runAsync(() -> {
                            var random = new Random(operator);
                            for (int i = 0; i < ROUNDS; i++) {
                                try {
                                    deeds.get(random.nextInt(deeds.size())).take();
                                } catch (RedriveRefusedException e) {
                                    // Redacted ones cannot go.
                                } catch (Exception e) {
                                    failures.add(e);
                                }
                            }
                        }))
                        .toArray(CompletableFuture[]::new))
                .join();

        assertThat(failures).isEmpty();
        var at = new ConcurrentHashMap<Long, String>();
        stored.dsl
                .fetch(
                        "select letter::bigint, before->>'state' as was, after->>'state' as is from "
                                + stored.schema.table("operator_action")
                                + ", unnest(string_to_array(subject, ' ')) letter where subject_kind = 'dead-letter' order by id")
                .forEach(row -> {
                    long id = row.get("letter", Long.class);
                    assertThat(row.get("was", String.class)).isEqualTo(at.getOrDefault(id, "open"));
                    at.put(id, row.get("is", String.class));
                });
        assertThat(stored.all())
                .hasSize(LETTERS)
                .allSatisfy(letter -> assertThat(DeadLetterRows.column(letter.state()))
                        .isEqualTo(at.getOrDefault(letter.id(), "open")));
        assertThat(
                        stored.texts(
                                "select id::text from $schema.dead_letter_archive a"
                                        + " where not exists (select from $schema.dead_letter d where d.id = a.id and state = 'archived')"))
                .isEmpty();
        assertThat(archive.elsewhere(ALL)).isZero();
    }

    private interface Deed {
        void take() throws Exception;
    }
}
