package dev.waybill.proof.role;

import dev.waybill.relay.Relay;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import java.time.Duration;
import javax.sql.DataSource;

/** A relay as an application embeds it. */
final class RelayRole {
    private RelayRole() {}

    static AutoCloseable start(Terms terms, DataSource pool) {
        return Relay.builder(pool)
                .name(terms.name())
                .destination(Terms.DESTINATION)
                .retain(Terms.DESTINATION, Duration.ofDays(1))
                .publisher(ServiceBusPublisher.of(terms.serviceBus()).withSendDeadline(Duration.ofSeconds(5)))
                .tuning(tuning -> tuning.leaseDuration(Terms.LEASE))
                .start();
    }
}
