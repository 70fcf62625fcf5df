package dev.waybill.servicebus.embedded.emulator;

/** A configuration file that cannot be used; the message names the place and the reason. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ConfigException(String message) {
        super(message);
    }

    ConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
