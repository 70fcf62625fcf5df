package dev.waybill.servicebus.receiver;

import com.azure.core.amqp.models.AmqpMessageBody;
import com.azure.core.amqp.models.AmqpMessageBodyType;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.waybill.message.Headers;
import dev.waybill.message.UnreadableBodyException;
import dev.waybill.servicebus.AmqpTypes;
import java.nio.charset.StandardCharsets;
import org.apache.qpid.proton.amqp.Binary;
import org.jspecify.annotations.Nullable;

/**
 * Extracts the bytes of AMQP bodies: data, or a value that has one text, as JMS sends. Of several data sections the SDK hands out the
 * first (ServiceBusMessageSerializer), and nothing shows the others.
 */
final class Body {
    private Body() {}

    static byte[] bytes(AmqpMessageBody body) {
        return switch (body.getBodyType()) {
            case VALUE -> bytes(body.getValue());
            case SEQUENCE -> throw new UnreadableBodyException("The body is an AMQP sequence, which has no bytes");
            default -> bytes(body.getFirstData());
        };
    }

    /** Whether {@link #bytes} encodes a text, in UTF-8. AMQP texts have no charset of their own. */
    static boolean isText(ServiceBusReceivedMessage message) {
        AmqpMessageBody body = message.getRawAmqpMessage().getBody();
        return body.getBodyType() == AmqpMessageBodyType.VALUE
                && !(body.getValue() instanceof Binary || body.getValue() instanceof byte[]);
    }

    private static byte[] bytes(@Nullable Object value) {
        if (value == null) {
            return new byte[0];
        }
        Object known = AmqpTypes.fromSdk(value);
        if (known instanceof byte[] bytes) {
            return bytes;
        }
        if (!Headers.hasForm(known)) {
            throw new UnreadableBodyException("The body is an AMQP value of the type "
                    + value.getClass().getSimpleName() + ", which has no bytes");
        }
        return ForeignTypes.received(value).toString().getBytes(StandardCharsets.UTF_8);
    }
}
