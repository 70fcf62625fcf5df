package dev.waybill.spring.autoconfigure;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** Reads bodies by the service's own mapper, of either generation of Jackson. Thread-safe. */
interface JsonReader {
    /**
     * Looks for the mapper, before there are messages.
     *
     * @throws IllegalStateException if there are several, and none is primary
     */
    default void check() {}

    /**
     * Reads a body.
     *
     * @throws UnreadableBodyException if it is not such JSON
     */
    @Nullable Object read(byte[] body, Type type) throws UnreadableBodyException;

    /** A body that is not what the handler takes: no retry will help. */
    final class UnreadableBodyException extends Exception {
        private static final long serialVersionUID = 1L;

        UnreadableBodyException(Exception cause) {
            super(cause);
        }
    }
}
