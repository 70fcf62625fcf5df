package dev.waybill.servicebus.embedded.emulator;

/** An invalid configuration file; the message names place and reason. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ConfigException(String message) {
        super(message);
    }

    ConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
