package dev.waybill.standalone.console.access;

/**
 * Somebody who has signed in.
 *
 * @param name as the audit tells it
 */
public record Person(String name, Rights rights) {}
