package dev.waybill.servicebus.embedded.message;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.amqp.messaging.MessageAnnotations;
import org.apache.qpid.proton.amqp.messaging.Properties;
import org.jspecify.annotations.Nullable;

/** Copies a message with changed properties. Null removes a property. */
public final class MessageEditor {
    private final BrokerMessage original;
    private final Properties properties;
    private final Map<Symbol, Object> annotations;
    private @Nullable Long timeToLiveMillis;

    public MessageEditor(BrokerMessage original) {
        this.original = original;
        this.annotations = new HashMap<>(original.annotations());
        this.timeToLiveMillis = original.timeToLiveMillis();
        this.properties = copyOf(original.properties());
    }

    static Properties copyOf(@Nullable Properties from) {
        Properties properties = new Properties();
        if (from != null) {
            copy(from, properties);
        }
        return properties;
    }

    private static void copy(Properties from, Properties properties) {
        properties.setMessageId(from.getMessageId());
        properties.setUserId(from.getUserId());
        properties.setTo(from.getTo());
        properties.setSubject(from.getSubject());
        properties.setReplyTo(from.getReplyTo());
        properties.setCorrelationId(from.getCorrelationId());
        properties.setContentType(from.getContentType());
        properties.setContentEncoding(from.getContentEncoding());
        properties.setAbsoluteExpiryTime(from.getAbsoluteExpiryTime());
        properties.setCreationTime(from.getCreationTime());
        properties.setGroupId(from.getGroupId());
        properties.setGroupSequence(from.getGroupSequence());
        properties.setReplyToGroupId(from.getReplyToGroupId());
    }

    public Properties properties() {
        return properties;
    }

    public void annotate(Symbol name, @Nullable Object value) {
        if (value == null) {
            annotations.remove(name);
        } else {
            annotations.put(name, value instanceof Instant moment ? Timestamps.of(moment.toEpochMilli()) : value);
        }
    }

    public void timeToLive(@Nullable Duration life) {
        timeToLiveMillis = life == null ? null : life.toMillis();
    }

    public BrokerMessage done() {
        Header header = new Header();
        if (timeToLiveMillis != null) {
            header.setTtl(UnsignedInteger.valueOf(Math.min(timeToLiveMillis, 0xFFFF_FFFFL)));
        }
        byte[] head = AmqpCodec.encode(header, new MessageAnnotations(annotations), properties);
        byte[] rest = original.afterProperties();
        byte[] whole = new byte[head.length + rest.length];
        System.arraycopy(head, 0, whole, 0, head.length);
        System.arraycopy(rest, 0, whole, head.length, rest.length);
        return BrokerMessage.parse(whole, 0, whole.length);
    }
}
