package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.MessageContent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A re-drive of large bodies: whoever appends to a session of a step waits until all of it is written. */
@ExtendWith(PostgresExtension.class)
class LargeBodiesRedriveTest {
    @Test
    void a_step_takes_no_more_large_bodies_than_are_written_soon(TestDatabase database) throws Exception {
        var stored = new StoredLetters(database);
        stored.served("orders");
        for (int i = 0; i < 12; i++) {
            stored.add("orders", "Bad", MessageContent.of("m" + i, "s" + i, new byte[1_000_000]));
        }
        Redrives redrives = Redrives.in(database.dataSource(), stored.schema);
        long run =
                redrives.begin(DeadLetterFilter.open(), RedriveRequest.toSource(), new AuditContext("ada", "because"));

        assertThat(redrives.step(run).redriven()).isEqualTo(8);
        assertThat(redrives.finish(run).progress().redriven()).isEqualTo(12);
        assertThat(stored.letters.count(DeadLetterFilter.open())).isZero();
    }

    @Test
    void a_body_that_is_larger_than_a_step_goes_alone(TestDatabase database) {
        var stored = new StoredLetters(database);
        stored.served("orders");
        for (int i = 0; i < 2; i++) {
            stored.add("orders", "Bad", MessageContent.of("m" + i, "s" + i, new byte[9_000_000]));
        }
        Redrives redrives = Redrives.in(database.dataSource(), stored.schema);
        long run =
                redrives.begin(DeadLetterFilter.open(), RedriveRequest.toSource(), new AuditContext("ada", "because"));

        assertThat(redrives.step(run).redriven()).isEqualTo(1);
        assertThat(redrives.step(run).state()).isEqualTo(RedriveRun.State.DONE);
    }
}
