package dev.waybill.standalone.config;

/**
 * An option with its value.
 *
 * @param value secrets are hidden
 * @param origin {@code default}, {@code file waybill.yaml, line 3}, {@code environment WAYBILL_HTTP_PORT}, {@code system
 *     property waybill.http.port} or {@code flag}
 */
public record Setting(String key, String value, String origin) {}
