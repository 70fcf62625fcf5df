package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import dev.waybill.servicebus.embedded.config.Tier;
import java.time.Duration;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cases of every outcome, for {@link LiveReportTest}; no build runs them, since their name ends as no test's does. */
class LiveSampleCases extends NamespaceCase {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("orders", q -> q.forwardDeadLettersTo("morgue").maxDeliveryCount(1))
                .queue("morgue")
                .queue("tiny", q -> q.maxMessageBytes(2048))
                .queue("lost", q -> q.forwardTo("nowhere"))
                .queue("hasty", q -> q.lockDuration(Duration.ofMillis(10)));
    }

    @Test
    void that_holds() {
        clients.sender("orders").sendMessage(Clients.message("m1"));
        var receiver = clients.receiver("orders");
        receiver.abandon(Clients.receiveOne(receiver));
        assertThat(Clients.receiveOne(clients.receiver("morgue")).getDeadLetterSource())
                .isEqualTo(bus.name("orders"));
    }

    @Test
    void that_looks_for_what_it_has_sent() {
        clients.sender("orders").sendMessage(Clients.message("m1"));
        assertThat(bus.ids("orders")).containsExactly("m1");
    }

    @Test
    void that_does_not_hold_and_makes_an_entity_itself() {
        bus.administration().createQueue(bus.name("made"), new CreateQueueOptions());
        clients.sender("made").sendMessage(Clients.message("m1"));
        assertThat(bus.inspect("made").active()).isEqualTo(2);
    }

    @Test
    void that_moves_time_after_a_send() {
        clients.sender("orders").sendMessage(Clients.message("m1"));
        bus.advance(Duration.ofMinutes(1));
    }

    @Test
    void that_looks_at_locks() {
        assertThat(bus.inspect("orders").locked()).isZero();
    }

    @Test
    void that_expects_failures_where_there_is_no_broker_to_fail() {
        clients.sender("orders").sendMessage(Clients.message("m1"));
        assertThatThrownBy(() -> bus.createQueue("orders", q -> q)).isInstanceOf(RuntimeException.class);
    }

    @Test
    void that_expects_words_where_there_is_no_broker_to_say_them() {
        assertThatThrownBy(() -> bus.createQueue("itself", q -> q.forwardTo("itself")))
                .hasMessageContaining("itself");
    }

    @Test
    void that_needs_a_small_entity() {
        clients.sender("tiny").sendMessage(Clients.message("m1"));
    }

    @Test
    void that_begins_with_a_target_that_is_missing() {
        clients.sender("lost").sendMessage(Clients.message("m1"));
    }

    @Test
    void that_needs_a_short_lock() {
        clients.sender("hasty").sendMessage(Clients.message("m1"));
    }

    @Test
    void that_asks_nothing_of_the_namespace() {
        assertThat(Tier.values()).isNotEmpty();
    }

    @Test
    @Disabled("for no reason")
    void that_is_disabled() {}

    @ParameterizedTest
    @EnumSource(Tier.class)
    void that_comes_several_times(Tier tier) {
        clients.sender("orders").sendMessage(Clients.message(tier.name()));
        assertThat(bus.ids("orders")).containsExactly(tier.name());
    }
}
