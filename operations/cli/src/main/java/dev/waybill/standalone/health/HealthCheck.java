package dev.waybill.standalone.health;

/**
 * One thing that was looked at.
 *
 * @param name what
 * @param ok whether it is as it should be
 * @param detail in a few words, without secrets
 */
public record HealthCheck(String name, boolean ok, String detail) {}
