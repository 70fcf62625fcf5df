package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.deadletter.stuck.StuckMessages;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.inbox.InboxHolds;
import java.time.Duration;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A server keeps the plans of statements that it has seen often. Those of quiet days would be the ruin of a bad one. */
@ExtendWith(PostgresExtension.class)
class QuietDaysTest {
    private static final AuditContext WORD = new AuditContext("ada", "to see");

    @Test
    void no_plan_of_a_day_without_dead_letters_is_kept_for_the_day_with_a_hundred_thousand(TestDatabase database)
            throws Exception {
        var stored = new StoredLetters(database);
        stored.execute("insert into $schema.outbox_destination (destination) values ('orders')");
        try (HikariDataSource one = PostgresServer.pool(database.server().jdbcUrl(), 1)) {
            var letters = DeadLetters.in(one, stored.schema);
            var redrives = Redrives.in(one, stored.schema);
            var desk = StuckMessages.in(one, stored.schema, InboxHolds.in(one, stored.schema));
            var exchange = DeadLetterExchange.in(one, stored.schema);
            var archive = DeadLetterArchive.in(one, stored.schema);
            for (int day = 0; day < 10; day++) {
                letters.groups(DeadLetterFilter.open(), DeadLetterGroup.By.ENTITY, DeadLetterGroup.By.REASON);
                letters.list(DeadLetterFilter.open(), 0, 100);
                desk.list();
                exchange.export(DeadLetterFilter.open(), new StringBuilder());
                archive.archiveClosed(Duration.ZERO, Duration.ofDays(42), WORD);
                archive.restore(DeadLetterFilter.everything().messageId("none"), WORD);
                archive.expire(WORD);
                stored.add("m" + day, "body");
                redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);
            }

            assertThat(DSL.using(one, SQLDialect.POSTGRES)
                            .fetch("select statement from pg_prepared_statements where statement like '%dead_letter%'"))
                    .isEmpty();
            assertThat(letters.count(
                            DeadLetterFilter.everything().in(DeadLetter.State.REDRIVEN, DeadLetter.State.ARCHIVED)))
                    .isEqualTo(10);
        }
    }
}
