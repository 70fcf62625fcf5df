package dev.waybill.standalone.console.access;

/**
 * A person's request, once it is known whose it is.
 *
 * @param csrf what every change has to bring along
 */
public record SignedInRequest(Person person, String csrf) {
    static final String ATTRIBUTE = "waybill.visit";
}
