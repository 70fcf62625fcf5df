package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import java.util.regex.Pattern;

/** The valid names of entities and rules in Service Bus. */
final class Names {
    private static final Pattern PATH = Pattern.compile("[A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9._~/-]{0,258}[A-Za-z0-9_]");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9._-]{0,48}[A-Za-z0-9_]");

    private Names() {}

    static void requirePath(String path) {
        if (!PATH.matcher(path).matches()) {
            throw refused(
                    path,
                    "queue or topic",
                    "1 to 260 letters, numbers, periods (.), hyphens (-), underscores (_),"
                            + " tildes (~) and slashes (/)");
        }
    }

    static void requireName(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw refused(name, what, "1 to 50 letters, numbers, periods (.), hyphens (-) and underscores (_)");
        }
    }

    private static Refused refused(String name, String what, String allowed) {
        return new Refused(
                BrokerError.ARGUMENT_ERROR,
                "'" + name + "' is no name of a " + what + ". It has " + allowed
                        + ", begins with a letter or number and ends with one or with an underscore.");
    }
}
