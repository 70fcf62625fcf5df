package dev.waybill.standalone.console.page.form;

import dev.waybill.standalone.console.access.Refusal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Parses times of addresses and forms. Browser fields are in UTC. */
public final class FormTimes {
    private FormTimes() {}

    /** Parses a time; {@code name} is the field. */
    public static Instant of(String text, String name) {
        try {
            return OffsetDateTime.parse(text.strip()).toInstant();
        } catch (DateTimeException e) {
            return local(text.strip(), name);
        }
    }

    private static Instant local(String text, String name) {
        try {
            return LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw new Refusal(400, "The time of '" + name + "' is not one such as 2026-03-01T06:00, in UTC.");
        }
    }
}
