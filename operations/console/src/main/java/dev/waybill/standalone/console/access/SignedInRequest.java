package dev.waybill.standalone.console.access;

/**
 * An authenticated request.
 *
 * @param csrf the token that every change must send
 */
public record SignedInRequest(Person person, String csrf) {
    static final String ATTRIBUTE = "waybill.visit";
}
