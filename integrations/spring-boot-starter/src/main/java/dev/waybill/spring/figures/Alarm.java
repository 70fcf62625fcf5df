package dev.waybill.spring.figures;

import org.jspecify.annotations.Nullable;

/** A row of the views {@code relay_alarm} and {@code inbox_alarm}; of the inbox, the destination is the consumer. */
public record Alarm(String alarm, String severity, @Nullable String destination, String detail) {}
