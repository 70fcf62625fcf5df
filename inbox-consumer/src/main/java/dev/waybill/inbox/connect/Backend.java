package dev.waybill.inbox.connect;

/** Identifies a server process and its transaction, by the time of its begin. */
public record Backend(int pid, String since) {}
