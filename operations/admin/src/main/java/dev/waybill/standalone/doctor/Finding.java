package dev.waybill.standalone.doctor;

/** A finding at a database, entity or consumer; {@code why} is usually the text of the diagnosis. */
public record Finding(Diagnosis mistake, Severity severity, String where, String evidence, String why, String fix) {
    public enum Severity {
        /** Messages are lost, duplicated, reordered or stuck, or will be. */
        ERROR,
        /** It will cause trouble later. */
        WARNING,
        UNVERIFIED
    }
}
