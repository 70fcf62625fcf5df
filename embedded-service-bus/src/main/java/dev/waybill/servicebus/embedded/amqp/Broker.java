package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.entity.Namespace;
import dev.waybill.servicebus.embedded.fault.Faults;
import dev.waybill.servicebus.embedded.loop.EventLoop;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * What every connection shares.
 *
 * @param tls the identity to show to clients, or null for plain TCP
 */
public record Broker(
        EventLoop loop,
        Namespace namespace,
        Faults faults,
        SasKeys keys,
        @Nullable SSLContext tls) {}
