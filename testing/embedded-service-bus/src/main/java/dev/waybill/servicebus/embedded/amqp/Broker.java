package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.entity.Namespace;
import dev.waybill.servicebus.embedded.fault.Faults;
import dev.waybill.servicebus.embedded.loop.EventLoop;
import dev.waybill.servicebus.embedded.security.Authority;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The parts that every connection shares.
 *
 * @param allowances how much of the broker clients may use
 * @param tls the identity to show to clients, or null for plain TCP
 */
public record Broker(
        EventLoop loop,
        Namespace namespace,
        Faults faults,
        Authority authority,
        Allowances allowances,
        @Nullable SSLContext tls) {
    Credits credits() {
        return allowances.credits();
    }
}
