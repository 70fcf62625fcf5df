package dev.waybill.standalone.topology.export;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An Azure resource.
 *
 * @param type with version, {@code Microsoft.ServiceBus/namespaces/queues@2024-01-01}
 * @param name a text or an {@link Expression}
 * @param body texts, numbers, booleans, lists, maps and {@link Expression}s
 */
record Resource(String symbol, String type, Object name, Context context, Map<String, Object> body) {
    Resource {
        body = Collections.unmodifiableMap(new LinkedHashMap<>(body));
    }

    String plainType() {
        return type.substring(0, type.indexOf('@'));
    }

    String version() {
        return type.substring(type.indexOf('@') + 1);
    }

    /** The names from the outermost parent, as ARM expressions. */
    private List<String> armNames() {
        var names = new ArrayList<String>();
        if (context.parent() != null) {
            names.addAll(context.parent().armNames());
        }
        names.add(name instanceof Expression expression ? expression.arm() : quoted((String) name));
        return names;
    }

    String armName() {
        List<String> names = armNames();
        if (names.size() == 1) {
            return names.get(0);
        }
        String places = java.util.stream.IntStream.range(0, names.size())
                .mapToObj(place -> "{" + place + "}")
                .collect(Collectors.joining("/"));
        return "format('" + places + "', " + String.join(", ", names) + ")";
    }

    String armId() {
        return "resourceId('" + plainType() + "', " + String.join(", ", armNames()) + ")";
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /** The resources that this one depends on. */
    record Context(@Nullable Resource parent, @Nullable Resource scope, List<Resource> after) {
        static final Context NONE = new Context(null, null, List.of());

        Context {
            after = List.copyOf(after);
        }

        static Context of(Resource parent) {
            return new Context(parent, null, List.of());
        }

        static Context about(Resource scope) {
            return new Context(null, scope, List.of());
        }
    }
}
