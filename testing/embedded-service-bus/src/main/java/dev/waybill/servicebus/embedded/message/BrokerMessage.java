package dev.waybill.servicebus.embedded.message;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.DeliveryAnnotations;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.amqp.messaging.MessageAnnotations;
import org.apache.qpid.proton.amqp.messaging.Properties;
import org.jspecify.annotations.Nullable;

/** A message as its sender encoded it. Immutable; shares the bytes of its transfer. */
public final class BrokerMessage {
    private static final byte[] NONE = new byte[0];
    private static final Symbol LOCK_TOKEN = Symbol.valueOf("x-opt-lock-token");

    private final byte[] bytes;
    private final int propertiesStart;
    private final int applicationStart;
    private final int bodyStart;
    private final int end;
    private final int size;
    private final @Nullable Header header;
    private final Map<Symbol, Object> annotations;
    private final @Nullable Properties properties;
    // Encoded properties that replace the sender's; empty if none do.
    private final byte[] assigned;

    private BrokerMessage(BrokerMessage original, Properties assigned) {
        this.bytes = original.bytes;
        this.propertiesStart = original.propertiesStart;
        this.applicationStart = original.applicationStart;
        this.bodyStart = original.bodyStart;
        this.end = original.end;
        this.size = original.size;
        this.header = original.header;
        this.annotations = original.annotations;
        this.properties = assigned;
        this.assigned = AmqpCodec.encode(assigned);
    }

    BrokerMessage(MessageParser parsed) {
        this.bytes = parsed.bytes;
        this.propertiesStart = parsed.propertiesStart;
        this.applicationStart = parsed.applicationStart;
        this.bodyStart = parsed.bodyStart;
        this.end = parsed.end;
        this.size = parsed.end - parsed.start;
        this.header = parsed.header;
        this.annotations = parsed.annotations;
        this.properties = parsed.properties;
        this.assigned = NONE;
    }

    /** Throws {@code MalformedMessageException} if the bytes are no message. */
    public static BrokerMessage parse(byte[] bytes, int offset, int length) {
        return new BrokerMessage(new MessageParser(bytes, offset, length));
    }

    /** The encoded size in bytes. */
    public int size() {
        return size;
    }

    /** The size of properties and application properties in bytes. */
    public int headSize() {
        return bodyStart - propertiesStart;
    }

    public @Nullable String messageId() {
        return properties == null || properties.getMessageId() == null
                ? null
                : properties.getMessageId().toString();
    }

    public @Nullable String sessionId() {
        return properties == null ? null : properties.getGroupId();
    }

    /** Null if absent; must not be changed. */
    public @Nullable Properties properties() {
        return properties;
    }

    /** Must not be changed. */
    public Map<Symbol, Object> annotations() {
        return annotations;
    }

    public @Nullable Object annotation(Symbol name) {
        return annotations.get(name);
    }

    /** Null for the entity's time to live. */
    public @Nullable Long timeToLiveMillis() {
        UnsignedInteger ttl = header == null ? null : header.getTtl();
        return ttl == null ? null : ttl.longValue();
    }

    /** A decoded copy. */
    public Map<String, Object> applicationProperties() {
        return decodeProperties(bytes, applicationStart, bodyStart);
    }

    /** A copy of the bytes, which does not retain the body. */
    public EncodedProperties encodedProperties() {
        return EncodedProperties.copyOf(bytes, applicationStart, bodyStart);
    }

    static Map<String, Object> decodeProperties(byte[] bytes, int start, int end) {
        Map<String, Object> copy = new LinkedHashMap<>();
        if (start < end
                && AmqpCodec.decode(bytes, start, end - start) instanceof ApplicationProperties section
                && section.getValue() != null) {
            section.getValue().forEach((key, value) -> copy.put(String.valueOf(key), value));
        }
        return copy;
    }

    /**
     * Encodes the message for a receiver.
     *
     * @param deliveryCount earlier failed deliveries
     * @param stamped replaces the sender's annotations
     * @param changed replaces the sender's application properties unless null
     * @param lockToken null if the delivery carries it
     */
    public byte[] encode(
            int deliveryCount,
            Map<Symbol, Object> stamped,
            @Nullable Map<String, Object> changed,
            @Nullable UUID lockToken) {
        Header current = headerFor(deliveryCount);
        MessageAnnotations marks = new MessageAnnotations(stamped);
        byte[] head = lockToken == null
                ? AmqpCodec.encode(current, marks)
                : AmqpCodec.encode(current, new DeliveryAnnotations(Map.of(LOCK_TOKEN, lockToken)), marks);
        int before = assigned.length > 0 ? applicationStart : propertiesStart;
        int rest = changed == null ? before : bodyStart;
        byte[] middle = changed == null ? NONE : changedMiddle(before, changed);
        byte[] whole = Arrays.copyOf(head, head.length + assigned.length + middle.length + end - rest);
        System.arraycopy(assigned, 0, whole, head.length, assigned.length);
        System.arraycopy(middle, 0, whole, head.length + assigned.length, middle.length);
        System.arraycopy(bytes, rest, whole, head.length + assigned.length + middle.length, end - rest);
        return whole;
    }

    /** Everything else stays as the sender encoded it. */
    BrokerMessage with(Properties assigned) {
        return new BrokerMessage(this, assigned);
    }

    byte[] afterProperties() {
        return Arrays.copyOfRange(bytes, applicationStart, end);
    }

    private byte[] changedMiddle(int from, Map<String, Object> changed) {
        byte[] application = AmqpCodec.encode(new ApplicationProperties(changed));
        int kept = applicationStart - from;
        byte[] middle = new byte[kept + application.length];
        System.arraycopy(bytes, from, middle, 0, kept);
        System.arraycopy(application, 0, middle, kept, application.length);
        return middle;
    }

    private Header headerFor(int deliveryCount) {
        Header copy = new Header();
        if (header != null) {
            copy.setDurable(header.getDurable());
            copy.setPriority(header.getPriority());
            copy.setTtl(header.getTtl());
        }
        copy.setDeliveryCount(UnsignedInteger.valueOf(deliveryCount));
        return copy;
    }
}
