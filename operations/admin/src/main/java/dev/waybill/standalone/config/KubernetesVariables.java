package dev.waybill.standalone.config;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The variables that Kubernetes sets for each service of a namespace. A service named {@code waybill-http} produces {@code
 * WAYBILL_HTTP_PORT=tcp://10.0.0.1:8080}, which looks like an option.
 */
final class KubernetesVariables {
    private static final Pattern ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");
    private static final Pattern OF_A_PORT =
            Pattern.compile(".*_SERVICE_PORT(_.*)?|.*_PORT_[0-9]+_(TCP|UDP|SCTP)(_.*)?");
    private static final String HOST = "_SERVICE_HOST";

    private KubernetesVariables() {}

    static Map<String, String> in(Map<String, String> variables) {
        var found = new TreeMap<String, String>();
        variables.forEach((name, text) -> {
            if (name.startsWith(Environment.PREFIX) && isOne(name, text, variables)) {
                found.put(name, text);
            }
        });
        return found;
    }

    private static boolean isOne(String name, String text, Map<String, String> variables) {
        if (name.endsWith(HOST)) {
            // Kubernetes sets a host and a port for each service; an option of Waybill comes without the port.
            return variables.containsKey(name.substring(0, name.length() - HOST.length()) + "_SERVICE_PORT");
        }
        return OF_A_PORT.matcher(name).matches()
                || (name.endsWith("_PORT") && ADDRESS.matcher(text).matches());
    }
}
