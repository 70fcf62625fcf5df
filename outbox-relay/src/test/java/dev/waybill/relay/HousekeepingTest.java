package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class HousekeepingTest {
    private final List<String> done = new ArrayList<>();
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
    }

    @Test
    void a_quiet_outbox_is_tidied_less_often() {
        Housekeeping housekeeping = housekeeping(() -> done.add("all"));
        outbox.append("s", "m1");

        for (int round = 0; round < 7; round++) {
            housekeeping.step();
        }

        assertThat(done).containsExactly("all", "emptying", "emptying", "emptying", "all");
    }

    @Test
    void each_round_tidies_all_while_messages_come() {
        Housekeeping housekeeping = housekeeping(() -> done.add("all"));

        for (int round = 0; round < 3; round++) {
            outbox.append("s", "m" + round);
            housekeeping.step();
        }

        assertThat(done).containsExactly("all", "all", "all");
    }

    @Test
    void a_task_that_fails_is_tried_again_in_the_next_round_of_a_quiet_outbox_too() {
        Housekeeping housekeeping = housekeeping(() -> {
            done.add("all");
            if (done.size() == 1) {
                throw new IllegalStateException("planted");
            }
        });

        housekeeping.step();
        housekeeping.step();
        housekeeping.step();

        assertThat(done).containsExactly("all", "all", "emptying");
    }

    private Housekeeping housekeeping(Runnable task) {
        return new Housekeeping(
                new OutboxHistory(outbox.dsl, outbox.schema), List.of(task), () -> done.add("emptying"));
    }
}
