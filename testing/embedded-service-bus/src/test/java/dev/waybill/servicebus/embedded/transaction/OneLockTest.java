package dev.waybill.servicebus.embedded.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.servicebus.embedded.mailbox.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Azure's libraries settle no message twice; a client that does must not get half of its transaction committed. */
class OneLockTest {
    private final List<String> done = new ArrayList<>();

    private Work ending(UUID lock, String name) {
        return new Work() {
            @Override
            public void check() {}

            @Override
            public void apply() {
                done.add(name);
            }

            @Override
            public Set<UUID> locks() {
                return Set.of(lock);
            }
        };
    }

    @Test
    void a_lock_is_ended_once_in_a_transaction_and_the_rest_is_committed() {
        UUID lock = UUID.randomUUID();
        Transaction transaction = new Transaction(new OpenTransactions());
        transaction.enlist(ending(lock, "complete"), "orders", false);
        assertThatThrownBy(() -> transaction.enlist(ending(lock, "abandon"), "orders", false))
                .isInstanceOf(Refused.class);
        transaction.enlist(ending(UUID.randomUUID(), "another"), "orders", false);
        transaction.commit();
        assertThat(done).containsExactly("complete", "another");
    }
}
