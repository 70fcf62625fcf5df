package dev.waybill.standalone.config;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The variables that Kubernetes sets for each service of a pod's namespace. Those of a service whose name begins with
 * {@code waybill-} look like options: for {@code waybill-http} it sets {@code WAYBILL_HTTP_PORT} to {@code
 * tcp://10.0.0.1:8080}.
 */
final class KubernetesVariables {
    private static final Pattern ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");
    private static final Pattern OF_A_PORT =
            Pattern.compile(".*_SERVICE_PORT(_.*)?|.*_PORT_[0-9]+_(TCP|UDP|SCTP)(_.*)?");
    private static final String HOST = "_SERVICE_HOST";

    private KubernetesVariables() {}

    /** Those that look like options of this program, by name. */
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
            // A namespace 'my-service' of ours has a host too; a service has a port beside it.
            return variables.containsKey(name.substring(0, name.length() - HOST.length()) + "_SERVICE_PORT");
        }
        return OF_A_PORT.matcher(name).matches()
                || (name.endsWith("_PORT") && ADDRESS.matcher(text).matches());
    }
}
