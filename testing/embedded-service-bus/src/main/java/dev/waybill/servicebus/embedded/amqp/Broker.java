package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.entity.Namespace;
import dev.waybill.servicebus.embedded.fault.Faults;
import dev.waybill.servicebus.embedded.loop.EventLoop;
import dev.waybill.servicebus.embedded.security.Authority;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * What all connections share.
 *
 * @param tls null for plain TCP
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
