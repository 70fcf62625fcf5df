/**
 * Sign-in by an identity. {@link dev.waybill.standalone.identity.PasswordSource} is the port for passwords that somebody else makes,
 * such as tokens of a cloud; {@link dev.waybill.standalone.identity.AzurePasswords} is Azure's.
 */
@NullMarked
package dev.waybill.standalone.identity;

import org.jspecify.annotations.NullMarked;
