package dev.waybill.servicebus.embedded.filter;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Values of {@code @name} parameters; clients send names with or without the at sign. */
final class Parameters {

    private final Map<String, @Nullable Object> given;
    private final Map<String, @Nullable Object> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    Parameters(Map<String, ? extends @Nullable Object> given) {
        this.given = Collections.unmodifiableMap(new LinkedHashMap<>(given));
        this.given.forEach((name, value) -> byName.put(name.startsWith("@") ? name.substring(1) : name, value));
    }

    Map<String, @Nullable Object> given() {
        return given;
    }

    Expression.Constant constant(Token parameter) {
        if (!byName.containsKey(parameter.text())) {
            throw new FilterSyntaxException("No value for parameter @" + parameter.text(), parameter.position());
        }
        Object value = Scalar.of(byName.get(parameter.text()));
        if (value != null && !Scalar.isKnownType(value)) {
            throw new FilterSyntaxException(
                    "Parameter @" + parameter.text() + " cannot be " + Scalar.typeName(value), parameter.position());
        }
        return new Expression.Constant(value);
    }
}
