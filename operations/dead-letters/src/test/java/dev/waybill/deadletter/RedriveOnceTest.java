package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Letters that somebody has seen are decided about later, once. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class RedriveOnceTest {
    private static final AuditContext ADA = new AuditContext("ada", "fixed");

    private Redrives redrives;
    private DeadLetters letters;
    private DSLContext dsl;
    private SchemaName schema;

    @BeforeEach
    void start(TestDatabase database) {
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        redrives = Redrives.in(database.dataSource(), schema);
        letters = DeadLetters.in(database.dataSource(), schema);
        dsl.execute("insert into " + schema.table("outbox_destination") + " (destination) values ('orders')");
        bury(1, 5);
    }

    private void bury(int from, int to) {
        dsl.execute("""
                with m as (
                  insert into %1$s.dead_letter_message (key, entity, sequence_number, enqueued_at, message_id, payload, reason)
                  select gen_random_uuid(), 'orders', n, clock_timestamp(), 'm' || n, '', 'r' from generate_series({0}, {1}) n
                  returning id)
                insert into %1$s.dead_letter_state (id, state) select id, 'open' from m
                """.formatted(schema), DSL.val(from), DSL.val(to));
    }

    @Test
    void an_order_that_is_given_twice_at_the_same_moment_begins_one_run() {
        for (int round = 0; round < 10; round++) {
            DeadLetters.Part part = letters.part(DeadLetterFilter.open(), 100);
            var clicks = Stream.of(1, 2, 3)
                    .map(each -> CompletableFuture.supplyAsync(() -> redrives.beginOnce(
                            part.of(DeadLetterFilter.open()), RedriveRequest.toSource(), ADA, part.at())))
                    .toList();

            assertThat(clicks.stream().map(CompletableFuture::join).flatMap(Optional::stream))
                    .hasSize(1);
        }
    }

    @Test
    void another_operator_and_a_later_look_begin_their_own() {
        DeadLetters.Part part = letters.part(DeadLetterFilter.open(), 100);
        var order = RedriveRequest.toSource();

        assertThat(redrives.beginOnce(DeadLetterFilter.open(), order, ADA, part.at()))
                .isPresent();
        assertThat(redrives.beginOnce(DeadLetterFilter.open(), order, ADA, part.at()))
                .isEmpty();
        assertThat(redrives.beginOnce(DeadLetterFilter.open(), order, new AuditContext("bob", "x"), part.at()))
                .isPresent();
        assertThat(redrives.beginOnce(
                        DeadLetterFilter.open(),
                        order,
                        ADA,
                        letters.part(DeadLetterFilter.open(), 1).at()))
                .isPresent();
        assertThat(redrives.latest(Long.MAX_VALUE, 2))
                .extracting(RedriveRun::id)
                .containsExactly(3L, 2L);
        assertThat(redrives.latest(2, 2)).extracting(RedriveRun::id).containsExactly(1L);
    }

    @Test
    void a_part_has_the_first_letters_as_they_were_and_none_that_came_or_changed() {
        DeadLetters.Part part = letters.part(DeadLetterFilter.open(), 3);
        letters.discard(DeadLetterFilter.id(1), ADA);
        letters.reopen(DeadLetterFilter.id(1), ADA);
        bury(6, 7);

        assertThat(part.count()).isEqualTo(3);
        assertThat(part.more()).isTrue();
        assertThat(letters.list(part.of(DeadLetterFilter.open()), 0, 10))
                .extracting(DeadLetter::id)
                .containsExactly(2L, 3L);
        DeadLetters.Part none = letters.part(DeadLetterFilter.open().entity("nowhere"), 3);
        assertThat(none.count()).isZero();
        assertThat(none.more()).isFalse();
        assertThat(letters.count(none.of(DeadLetterFilter.open()))).isZero();
    }
}
