// The error codes of the private API, with their HTTP statuses and usual messages.
import { errorResponsesOf, errors as publicErrors } from '../../spec/errors.ts'
import type { components } from './dashboard.d.ts'

/** The compiler checks this table against the codes that the document lists. */
export const errors = {
  ...publicErrors,
  invalid_domain: { status: 400, message: 'The documentation cannot be published under this name.' },
  plan_required: { status: 403, message: 'Custom domains require the Pro plan or above.' },
  not_deployed: {
    status: 409,
    message: 'The documentation is not reachable at the platform domain: deploy the project first.',
  },
  domain_exists: { status: 409, message: 'This domain has already been added.' },
  too_many_domains: { status: 409, message: 'The limit on the number of domains has been reached.' },
  not_saved: { status: 503, message: 'The change could not be saved, so it was not applied.' },
  domain_not_found: { status: 404, message: 'This domain has not been added.' },
  is_primary: { status: 409, message: 'The primary domain cannot redirect to itself.' },
  not_revoked: { status: 502, message: 'The certificate authority has not revoked the certificate.' },
  redirect_loop: { status: 409, message: 'That domain redirects to this one.' },
  no_primary: { status: 409, message: 'There is no primary domain to redirect to.' },
} as const satisfies Record<components['schemas']['ErrorCode'], { status: number; message: string }>

/** A response with the status of `code` and its Error body. */
export const errorResponse = errorResponsesOf(errors)
