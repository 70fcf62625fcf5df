package dev.waybill.standalone.doctor;

/**
 * Something the doctor has to say.
 *
 * @param mistake which of them; its number and word are stable
 * @param where database, entity or consumer
 * @param evidence what was seen
 * @param why why it matters here; most often as it does of every such mistake
 * @param fix what to do
 */
public record Finding(Diagnosis mistake, Severity severity, String where, String evidence, String why, String fix) {
    /** How bad it is. */
    public enum Severity {
        /** Messages are lost, doubled, disordered or stand still; or will be. */
        ERROR,
        /** It will hurt one day. */
        WARNING,
        /** It could not be verified. */
        UNVERIFIED
    }
}
