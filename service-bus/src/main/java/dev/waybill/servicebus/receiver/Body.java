package dev.waybill.servicebus.receiver;

import com.azure.core.amqp.models.AmqpMessageBody;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Extracts the bytes of any AMQP body; JMS sends texts as AMQP values. */
final class Body {
    private Body() {}

    static byte[] bytes(AmqpMessageBody body) {
        return switch (body.getBodyType()) {
            case VALUE -> bytes(body.getValue());
            case SEQUENCE -> bytes(body.getSequence());
            default -> bytes(body.getFirstData());
        };
    }

    private static byte[] bytes(@Nullable Object value) {
        if (value == null) {
            return new byte[0];
        }
        return ForeignTypes.received(value) instanceof byte[] bytes
                ? bytes
                : value.toString().getBytes(StandardCharsets.UTF_8);
    }
}
