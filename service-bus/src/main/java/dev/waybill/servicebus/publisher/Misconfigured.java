package dev.waybill.servicebus.publisher;

/** The SDK refuses to make a client, for example for a connection string with another entity's path. */
final class Misconfigured extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Misconfigured(String destination, RuntimeException cause) {
        super("No client for '" + destination + "' can be made: " + cause.getMessage(), cause);
    }
}
