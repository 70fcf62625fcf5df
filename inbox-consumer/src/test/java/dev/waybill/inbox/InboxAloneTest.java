package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.inbox.settle.HeldInbound;
import dev.waybill.migrations.Feature;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A consumer with the tables of the inbox and no others. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class InboxAloneTest {
    @Test
    void a_consumer_handles_holds_and_cleans_up_without_other_features(TestDatabase database) throws SQLException {
        var inbox = InboxFixture.with(database, Feature.INBOX);
        var receiver = ScriptedReceiver.ofSession(
                new FakeMessage("m1", 2, 1),
                new FakeMessage("dead", 1, 2),
                new FakeMessage("later", 1, 3),
                new FakeMessage("m2", 1, 4));
        var turn = inbox.turn(
                receiver,
                (tx, message) -> switch (message.id()) {
                    case "dead" -> Verdict.deadLetter("No", "no");
                    case "later" ->
                        message instanceof HeldInbound ? inbox.effect(tx, message) : Verdict.retry(Duration.ofHours(1));
                    default -> inbox.effect(tx, message);
                },
                settings -> {
                    settings.retention =
                            new Retention(Duration.ofDays(10), Duration.ofDays(3), Duration.ZERO, Duration.ofDays(7));
                });

        turn.parts().heartbeat().beat();
        turn.run();
        InboxHolds.in(inbox.dataSource, inbox.schema)
                .release(HoldKey.session(HoldSide.INBOX, "test", "s"), new AuditContext("test", "now"));
        turn.runHolds();
        inbox.dsl.execute(
                "insert into " + inbox.schema.table("inbox_consumer")
                        + " (name, alive_since) values ('test', '2020-01-01') on conflict (name) do update set alive_since = '2020-01-01'");
        inbox.dsl.execute("update " + inbox.schema.table("inbox_message") + " set handled_at = '2020-01-01'");
        assertThat(turn.parts().cleanUp().prune(false)).isPositive();
        turn.parts().resumptions().run();
        turn.parts().forgotten().run();
        turn.parts().events().turn();
        turn.parts().heartbeat().leave();

        assertThat(inbox.effects()).containsExactly("m1", "later", "m2");
        assertThat(inbox.count("inbox_hold")).isZero();
        assertThat(inbox.dsl
                        .fetch("select action from " + inbox.schema.table("operator_action"))
                        .getValues(0))
                .isEqualTo(List.of("release"));
        assertThat(InboxMaintenance.in(inbox.dataSource, inbox.schema).check()).isEmpty();
    }
}
