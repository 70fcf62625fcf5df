package dev.waybill.standalone.servicebus;

import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.supervision.OutsideFailure;

/** A namespace, or the proxy on the way to it, does not answer. */
public final class UnreachableException extends RuntimeException implements OutsideFailure {
    private static final long serialVersionUID = 1L;

    UnreachableException(NamespaceSettings namespace, Entities.Address address, String why) {
        super("The namespace '" + namespace.name() + "' at " + address.host() + ":" + address.port()
                + " cannot be reached: " + why);
    }

    /** {@code why}: names the proxy and what it refuses. */
    UnreachableException(String why) {
        super(why);
    }
}
