package dev.waybill.standalone.console.access;

/**
 * A person or program.
 *
 * @param name for the audit
 */
public record Person(String name, Rights rights) {}
