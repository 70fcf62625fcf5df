package dev.waybill.standalone.health;

/**
 * The result of one check.
 *
 * @param detail a few words without secrets
 */
public record HealthCheck(String name, boolean ok, String detail) {}
