import type { PageDocument } from "../document/types.ts";

/** The records in the emulator's form. operations/ makes their form on the wire. */

interface Stamped {
  id: string;
  createdAt: string;
  updatedAt: string;
}

export interface ProjectRecord extends Stamped {
  name: string;
  description: string;
  context: string;
  active: boolean;
}

export interface SiteRecord extends Stamped {
  name: string;
  description: string | null;
  /** The first part of the host name that the service provides; unique. */
  label: string;
  projectId: string | null;
}

export interface PageRecord extends Stamped {
  pageName: string;
  status: "draft" | "published";
  isQuiz: boolean;
  projectId: string | null;
  siteId: string | null;
  slug: string | null;
  publishedAt: string | null;
  templateId: string | null;
  tags: string[];
  productLabel: string | null;
}

/** The content of a page, under the page's id. `live` is the published revision, which edits of `draft` leave alone. */
export interface DocumentRecord {
  id: string;
  draft: PageDocument;
  live: PageDocument | null;
}

export interface QuizRecord extends Stamped {
  quizName: string;
  pageId: string;
}

export interface FunnelStep {
  pageId?: string;
  url?: string;
  pageType: string;
}

export interface FunnelRecord extends Stamped {
  name: string;
  projectId: string | null;
  siteId: string | null;
  status: string;
  steps: FunnelStep[];
}

export interface VideoRecord extends Stamped {
  name: string;
  title: string | null;
  status: string;
  duration: number;
  thumbnailUrl: string | null;
  projectId: string | null;
  player: {
    language: string | null;
    primary_color: string | null;
    controls: boolean;
    autoplay: boolean;
    muted: boolean;
    loop: boolean;
  };
}

export interface ProductRecord extends Stamped {
  name: string;
  type: "simple" | "bundle";
  projectId: string | null;
  sku: string | null;
  description: string | null;
  image: string | null;
  price: number;
  comparePrice: number;
  ctaText: string | null;
  ctaUrl: string | null;
  ctaTarget: boolean;
  useSingleCtaLink: boolean;
  showFullProduct: boolean;
  rating: string | null;
  ratingCount: string | null;
  bundleDiscount: number;
  tiersEnabled: boolean;
  trustBadges: unknown[];
  variants: unknown[];
  tiers: unknown[];
  bundleItems: unknown[];
  subscription: Record<string, unknown>;
  /** The handle that the service makes of the name at creation, if it does that. */
  handle?: string | undefined;
}

export interface LeadRecord {
  id: string;
  type: "form" | "quiz";
  name: string | null;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  formId: string | null;
  formName: string | null;
  quizId: string | null;
  quizName: string | null;
  pageId: string;
  pageUrl: string | null;
  projectId: string | null;
  siteId: string | null;
  abandoned: boolean;
  completed: boolean;
  fields: Record<string, string>;
  answers: Record<string, string>;
  createdAt: string;
}

export interface HookRecord {
  id: string;
  eventType: string;
  targetUrl: string;
  filters: Record<string, unknown> | null;
  active: boolean;
  createdAt: string;
}

export interface KeyRecord {
  /** A digest of the key, because the service shows the key only once. */
  id: string;
  scopes: string[];
  expiresAt: string | null;
  allowIps: string[];
  revoked: boolean;
}

/** The account. A store holds one. */
export interface AccountRecord {
  id: string;
  email: string;
  name: string;
  plan: string | null;
  /** The key for the starter of the emulator. */
  apiKey: string;
}
