/** Generated from provider/kinds/registry.ts by "npm run generate"; a change belongs into the collection of the kind. */
import * as lookups from "../lookups/kinds.ts";
import { output, outputList, plain, plainList } from "./lookup-forms.ts";

/** One project, by its id or its exact name. */
export const getProject = plain(lookups.getProject);
/** One project, by its id or its exact name. */
export const getProjectOutput = output(lookups.getProject);
/** All projects, or the first `limit`. */
export const listProjects = plainList(lookups.listProjects);
/** All projects, or the first `limit`. */
export const listProjectsOutput = outputList(lookups.listProjects);
/** One site, by its id or its exact name. */
export const getSite = plain(lookups.getSite);
/** One site, by its id or its exact name. */
export const getSiteOutput = output(lookups.getSite);
/** All sites, or those that the filter lets through. */
export const listSites = plainList(lookups.listSites);
/** All sites, or those that the filter lets through. */
export const listSitesOutput = outputList(lookups.listSites);
/** One page, by its id or its exact name. */
export const getPage = plain(lookups.getPage);
/** One page, by its id or its exact name. */
export const getPageOutput = output(lookups.getPage);
/** All pages, or those that the filter lets through. */
export const listPages = plainList(lookups.listPages);
/** All pages, or those that the filter lets through. */
export const listPagesOutput = outputList(lookups.listPages);
/** One quiz, by its id or its exact name. */
export const getQuiz = plain(lookups.getQuiz);
/** One quiz, by its id or its exact name. */
export const getQuizOutput = output(lookups.getQuiz);
/** All quizzes, or those that the filter lets through. */
export const listQuizzes = plainList(lookups.listQuizzes);
/** All quizzes, or those that the filter lets through. */
export const listQuizzesOutput = outputList(lookups.listQuizzes);
/** One funnel, by its id or its exact name. */
export const getFunnel = plain(lookups.getFunnel);
/** One funnel, by its id or its exact name. */
export const getFunnelOutput = output(lookups.getFunnel);
/** All funnels, or those that the filter lets through. The API lists at most 100 funnels at a time and has no pagination for them. So funnels without a project may be missing, and funnels of a project that has more than 100. */
export const listFunnels = plainList(lookups.listFunnels);
/** All funnels, or those that the filter lets through. The API lists at most 100 funnels at a time and has no pagination for them. So funnels without a project may be missing, and funnels of a project that has more than 100. */
export const listFunnelsOutput = outputList(lookups.listFunnels);
/** One product, by its id or its exact name. */
export const getProduct = plain(lookups.getProduct);
/** One product, by its id or its exact name. */
export const getProductOutput = output(lookups.getProduct);
/** All products, or those that the filter lets through. */
export const listProducts = plainList(lookups.listProducts);
/** All products, or those that the filter lets through. */
export const listProductsOutput = outputList(lookups.listProducts);
/** One video, by its id or its exact name. */
export const getVideo = plain(lookups.getVideo);
/** One video, by its id or its exact name. */
export const getVideoOutput = output(lookups.getVideo);
/** All videos, or the first `limit`. */
export const listVideos = plainList(lookups.listVideos);
/** All videos, or the first `limit`. */
export const listVideosOutput = outputList(lookups.listVideos);
