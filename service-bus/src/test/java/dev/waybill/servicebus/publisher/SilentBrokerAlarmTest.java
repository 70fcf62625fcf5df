package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The alarm for a broker that is away does not wait for the deadline of a send. */
class SilentBrokerAlarmTest extends FailureCase {
    /** An alarm that waits for it comes too late. The relay's close waits for it, too. */
    private static final Duration DEADLINE = Duration.ofSeconds(40);

    private void start() {
        startRelay(ServiceBusPublisher.of(() -> new ServiceBusClientBuilder().connectionString(bus.connectionString()))
                .withSendDeadline(DEADLINE));
        append("orders", "s", "first");
        awaitStored("orders", 1);
    }

    private List<String> alarms() {
        return dsl.fetch("select alarm from " + schema.table("relay_alarm") + " where destination = 'orders'")
                .getValues(0, String.class);
    }

    private void awaitAlarm() {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(alarms()).contains("unavailable"));
    }

    @ParameterizedTest
    @ValueSource(ints = 200)
    void a_broker_that_answers_no_send_raises_the_alarm_long_before_the_send_has_its_deadline(int messages) {
        start();
        bus.suspend();

        load(messages);

        awaitAlarm();
        assertThat(heldIds()).isEmpty();
        bus.resume();
        awaitStored("orders", 1 + messages);
        await().untilAsserted(() -> assertThat(alarms()).isEmpty());
    }

    @Tag("long")
    @Test
    void a_broker_that_is_gone_raises_the_alarm() {
        start();
        bus.close();

        append("orders", "s", "second");

        awaitAlarm();
    }

    @Test
    void an_idle_destination_of_a_broker_that_is_silent_raises_none() {
        start();
        bus.suspend();

        await().during(Duration.ofSeconds(8))
                .atMost(Duration.ofSeconds(12))
                .untilAsserted(() -> assertThat(alarms()).isEmpty());
        bus.resume();
    }
}
