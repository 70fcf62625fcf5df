package dev.waybill.standalone.console.access;

/** A person or program, by the name in the audit. */
public record Person(String name, Rights rights) {}
