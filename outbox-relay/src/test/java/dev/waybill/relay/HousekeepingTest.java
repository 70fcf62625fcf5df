package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.RelayBeats.LoopReport;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class HousekeepingTest {
    private final List<String> done = new ArrayList<>();
    private final AtomicInteger changes = new AtomicInteger();
    private final Trouble trouble = new Trouble(System::nanoTime, changes::incrementAndGet);
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

    @Test
    void a_task_that_fails_keeps_no_later_one_from_its_turn_and_is_told_until_it_works() {
        var broken = new AtomicBoolean(true);
        Housekeeping housekeeping = housekeeping(
                () -> {
                    if (broken.get()) {
                        throw new IllegalStateException("planted");
                    }
                },
                () -> done.add("later"));

        housekeeping.step();

        assertThat(done).containsExactly("later");
        assertThat(trouble.report()).get().extracting(LoopReport::detail).isEqualTo("housekeeping: planted");
        broken.set(false);
        housekeeping.step();
        assertThat(done).containsExactly("later", "later");
        assertThat(trouble.report()).isEmpty();
        assertThat(changes).hasValue(2);
    }

    @Test
    void a_lock_that_somebody_has_for_a_moment_is_no_trouble_and_one_that_stays_is() {
        Housekeeping housekeeping = housekeeping(() -> {
            throw new DataAccessException("planted", new SQLException("locked", "55P03"));
        });

        housekeeping.step();
        assertThat(trouble.report()).isEmpty();
        housekeeping.step();

        assertThat(trouble.report()).isPresent();
    }

    private Housekeeping housekeeping(Runnable... tasks) {
        return new Housekeeping(
                new OutboxHistory(outbox.dsl, outbox.schema),
                List.of(tasks),
                List.of(() -> done.add("emptying")),
                trouble);
    }
}
