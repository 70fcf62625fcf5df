package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
@Timeout(30)
class FenceTest {
    private InboxFixture inbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
    }

    @Test
    void a_server_that_was_replaced_without_its_sequences_shuts_no_session() {
        for (int i = 0; i < 5; i++) {
            handle("before" + i);
        }
        inbox.dsl.execute("select setval('" + inbox.schema.table("inbox_acceptance_seq") + "', 1, false)");

        var receiver = handle("after");

        assertThat(receiver.log()).containsExactly("complete after", "close");
        assertThat(inbox.effects()).hasSize(6).endsWith("after");
    }

    private ScriptedReceiver handle(String id) {
        var receiver = ScriptedReceiver.ofSession(FakeMessage.of(id));
        inbox.turn(receiver, inbox::effect).run();
        return receiver;
    }
}
