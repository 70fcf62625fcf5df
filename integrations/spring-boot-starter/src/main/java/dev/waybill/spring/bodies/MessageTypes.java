package dev.waybill.spring.bodies;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.spring.MessageType;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotationUtils;

/** What a class says about its messages. */
public final class MessageTypes {
    private MessageTypes() {}

    /**
     * The class of an object that is a body.
     *
     * @throws IllegalArgumentException for a text or bytes, which JSON would wrap once more
     */
    static Class<?> of(Object body) {
        if (body instanceof CharSequence || body instanceof byte[]) {
            throw new IllegalArgumentException(
                    "A " + body.getClass().getName()
                            + " as an object would be JSON of JSON; give it by json(text), text(text) or body(bytes, contentType)");
        }
        return body.getClass();
    }

    /** Whether the body is a CloudEvent in structured mode. */
    static boolean isCloudEvent(InboundMessage message) {
        return message.contentType()
                .filter(type ->
                        type.regionMatches(true, 0, "application/cloudevents", 0, "application/cloudevents".length()))
                .isPresent();
    }

    /** The subject of the class's messages; null for a class of the JDK's, such as a map, and for one without a name. */
    public static @Nullable String subject(Class<?> type) {
        @Nullable MessageType named = AnnotationUtils.findAnnotation(type, MessageType.class);
        if (named != null) {
            return named.value();
        }
        return type.getName().startsWith("java.") || type.getSimpleName().isEmpty() ? null : type.getSimpleName();
    }

    /** The header with the version, if there is one. */
    static Map<String, Object> headers(Class<?> type) {
        @Nullable MessageType named = AnnotationUtils.findAnnotation(type, MessageType.class);
        return named == null || named.version() == 0
                ? Map.of()
                : Map.of(MessageType.VERSION_HEADER, (long) named.version());
    }

    /** The subjects that a handler of the class takes; none if the class says nothing. */
    public static List<String> handled(Class<?> type) {
        @Nullable MessageType named = AnnotationUtils.findAnnotation(type, MessageType.class);
        return named == null
                ? List.of()
                : Stream.concat(Stream.of(named.value()), Stream.of(named.formerly()))
                        .toList();
    }
}
