package dev.waybill.servicebus.embedded.administration;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request.
 *
 * @param method GET, PUT or DELETE
 * @param address where it goes
 * @param update whether a PUT changes an entity that must exist
 * @param received when it came
 * @param body the document sent, or null
 */
record Request(
        String method,
        Address address,
        boolean update,
        Instant received,
        @Nullable XmlElement body) {
    private static final int PAGE = 100;
    private static final String VERSION = "api-version";

    /**
     * Where a request goes.
     *
     * @param base how the client addresses the namespace, without a slash at the end
     * @param path the segments of the path, decoded
     * @param parameters the parameters of the query, decoded
     */
    record Address(String base, List<String> path, Map<String, String> parameters) {}

    List<String> path() {
        return address.path();
    }

    private Map<String, String> parameters() {
        return address.parameters();
    }

    /** The whole address without its query. */
    String location() {
        return address.base() + "/" + String.join("/", path());
    }

    boolean isGet() {
        return method.equals("GET");
    }

    /** Whether it is no client of administration, which names its version: an entity may have that name, too. */
    boolean asksForHealth() {
        return isGet() && path().equals(List.of("health")) && !parameters().containsKey(VERSION);
    }

    boolean isDelete() {
        return method.equals("DELETE");
    }

    /** How many entities of a list to pass over. */
    int skip() {
        return number("$skip", 0);
    }

    /** How many entities of a list to tell at most: no more than a page. */
    int top() {
        return Math.min(PAGE, number("$top", PAGE));
    }

    private int number(String name, int otherwise) {
        String value = parameters().get(name);
        try {
            int number = value == null ? otherwise : Integer.parseInt(value);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(nonNegative(name), e);
        }
        throw new IllegalArgumentException(nonNegative(name));
    }

    private static String nonNegative(String name) {
        return "Parameter '" + name.substring(1) + "' should be non-negative integer.";
    }

    /**
     * Whether the client speaks this version of the interface, or a later one. Versions are named after months.
     */
    boolean atLeast(String version) {
        return parameters().getOrDefault(VERSION, "").compareTo(version) >= 0;
    }

    /** The query as it came. */
    String query() {
        StringBuilder query = new StringBuilder();
        parameters()
                .forEach((name, value) -> query.append(query.isEmpty() ? '?' : '&')
                        .append(name)
                        .append('=')
                        .append(value));
        return query.toString();
    }

    /** The client's version of the interface as a parameter, or nothing if it named none. */
    String version(String separator) {
        String version = parameters().get(VERSION);
        return version == null ? "" : separator + VERSION + "=" + version;
    }

    String versionQuery() {
        return version("?");
    }

    /** The description of that name in the body; refuses the request if there is none. */
    XmlElement description(String name) {
        XmlElement found = body == null ? null : body.find(name);
        if (found == null || !found.isOfServiceBus()) {
            throw new IllegalArgumentException(
                    "The request's body holds no " + name + " of the namespace " + XmlText.SERVICE_BUS);
        }
        return ElementOrder.read(found);
    }

    boolean describes(String name) {
        return body != null && body.find(name) != null;
    }
}
