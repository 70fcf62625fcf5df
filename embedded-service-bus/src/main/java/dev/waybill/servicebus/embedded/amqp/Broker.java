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
 * @param credits what clients may do in a second
 * @param tls the identity to show to clients, or null for plain TCP
 */
public record Broker(
        EventLoop loop,
        Namespace namespace,
        Faults faults,
        Authority authority,
        Credits credits,
        @Nullable SSLContext tls) {}
