package dev.waybill.spring;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.outbox.BodyWriter;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Writes objects as bodies, and reads them for handlers. Without a bean of this type, the service's Jackson mapper does both; a bean of
 * this type replaces it, for Avro or Protobuf. Thread-safe.
 */
public interface BodyConverter extends BodyWriter {
    /**
     * Reads a body.
     *
     * @param type the type of the handler's parameter
     * @return the object; null is dead-lettered
     * @throws dev.waybill.message.UnreadableBodyException if the body is no such object: the message is dead-lettered at once. Any other
     *     exception is a failed attempt
     */
    @Nullable Object read(InboundMessage message, Type type);
}
