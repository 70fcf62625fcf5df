package dev.waybill.standalone.health;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** A status of HTTP and the fields of a JSON object. */
public record ScaleAnswer(int status, Map<String, Object> fields) {
    public ScaleAnswer {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    public static ScaleAnswer of(String number, long value, boolean atLeast) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put(number, value);
        fields.put("atLeast", atLeast);
        return new ScaleAnswer(200, fields);
    }

    public static ScaleAnswer unavailable(String why) {
        return new ScaleAnswer(503, Map.of("error", why));
    }

    public static ScaleAnswer unknown(String why) {
        return new ScaleAnswer(404, Map.of("error", why));
    }
}
