package dev.waybill.standalone.config;

/**
 * An option with its value.
 *
 * @param key its name
 * @param value as it was given; of a secret only that there is one
 * @param origin where the value comes from: {@code default}, {@code file waybill.yaml, line 3}, {@code environment
 *     WAYBILL_HTTP_PORT}, {@code system property waybill.http.port}, {@code flag}
 */
public record Setting(String key, String value, String origin) {}
