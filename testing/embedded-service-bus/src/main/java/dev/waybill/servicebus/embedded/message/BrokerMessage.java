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

/** A message as its sender encoded it. Immutable; it shares the bytes of the transfer it came in. */
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
    // The properties as they are sent, if they are other ones than the sender encoded: empty if not.
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

    /**
     * Reads a message.
     *
     * @throws MalformedMessageException if the bytes are none
     */
    public static BrokerMessage parse(byte[] bytes, int offset, int length) {
        return new BrokerMessage(new MessageParser(bytes, offset, length));
    }

    /** Its size as encoded by the sender, in bytes. */
    public int size() {
        return size;
    }

    /** The size of its properties and application properties, in bytes. */
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

    /** The message's properties section, or null; not to be changed. */
    public @Nullable Properties properties() {
        return properties;
    }

    /** The sender's annotations; not to be changed. */
    public Map<Symbol, Object> annotations() {
        return annotations;
    }

    public @Nullable Object annotation(Symbol name) {
        return annotations.get(name);
    }

    /** How long the sender lets it live, in milliseconds, or null for as long as the entity does. */
    public @Nullable Long timeToLiveMillis() {
        UnsignedInteger ttl = header == null ? null : header.getTtl();
        return ttl == null ? null : ttl.longValue();
    }

    /** A copy of the application properties, decoded now. */
    public Map<String, Object> applicationProperties() {
        return decodeProperties(bytes, applicationStart, bodyStart);
    }

    /** The application properties as bytes of their own, which do not hold on to the body. */
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
     * @param deliveryCount how often it was delivered without success
     * @param stamped the message annotations to send, instead of the sender's
     * @param changed the application properties to send, or null for the sender's
     * @param lockToken the lock that the message comes with, or null if its delivery tells it
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

    /** The same message with other properties. It shares everything else, which stays as its sender encoded it. */
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
